/** The one run that keeps what belongs to no other: who has which paths, which logins cannot be used now, rules. */
export const SYSTEM_RUN = 'system';
export const SYSTEM_KIND = 'system';
