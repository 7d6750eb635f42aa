/** The one run that keeps what belongs to no other: who has which paths, and which logins cannot be used now. */
export const SYSTEM_RUN = 'system';
export const SYSTEM_KIND = 'system';
