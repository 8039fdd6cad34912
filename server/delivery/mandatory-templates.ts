/**
 * Templates that preferences cannot switch off: someone needs help and this recipient is assigned to give it. Sending
 * hours, opt-outs and suppressions still apply.
 */
export const MANDATORY_TEMPLATES: ReadonlySet<string> = new Set(['roll-call-help'])
