/** `exit` is the process's exit code, `hint` must work when followed. docs/errors.md is compared with this table. */
export type ErrorSpec = {
  http: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 417 | 421 | 422 | 429 | 431 | 500 | 503;
  exit: 1 | 2;
  hint: string;
  /** Instead of a hint that names details, where an error has none of them. */
  otherwise?: string;
};
