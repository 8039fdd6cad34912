/**
 * Templates that no switch of the preferences keeps back: somebody needs help, and it is this reader who was named to
 * give it. Hours, STOP and addresses that failed count for them as for everything.
 */
export const MANDATORY_TEMPLATES: ReadonlySet<string> = new Set(['roll-call-help'])
