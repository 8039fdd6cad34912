/** The messages of the portal by what they are about, as an administrator looks for them. */
export const TEMPLATE_GROUPS = {
  advisories: ['advisory', 'digest', 'announcement', 'reminder'],
  safety: ['roll-call', 'roll-call-help', 'roll-call-taken', 'assistant-case'],
  accounts: [
    ...['welcome', 'account-created', 'already-registered', 'verify-email', 'account-question', 'account-verified'],
    ...['status-changed', 'role-changed', 'account-erased'],
  ],
  sign_in: [
    ...['sign-in-code', 'sign-in-link', 'reset-password', 'change-email', 'email-changed'],
    ...['sign-in-changed', 'sign-in-restored'],
  ],
  churches: ['locale-confirm', 'locales-confirm', 'locale-question', 'locale-arrival'],
  tests: ['test-mail'],
} as const

export type TemplateGroup = keyof typeof TEMPLATE_GROUPS
export const GROUPS = Object.keys(TEMPLATE_GROUPS) as TemplateGroup[]

/** Key of a message's name, in the namespace `announcements`. */
export const nameKey = (template: string) => `message_${template}` as 'message_reset-password'
