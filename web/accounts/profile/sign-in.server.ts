import { redirect, redirectDocument } from 'react-router'
import { changePassword } from '#shared/accounts/endpoints.ts'
import { confirmPassword } from '#shared/accounts/own.ts'
import { undoOwnChange } from '#shared/accounts/sign-in-changes.ts'
import {
  changeEmail,
  changePhone,
  confirmPhone,
  enrolFactor,
  removeFactor,
  removePasskey,
  removePhone,
  renewRecoveryCodes,
  signInWithHub,
  unlinkIdentity,
  verifyFactor,
} from '#shared/accounts/sign-in-methods.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'

/** Shown once, right after it was created, and never put into a URL. */
export interface ShownOnce {
  /** An authenticator waiting for its first code; without the QR code after a wrong code. */
  enrolment?: { secret: string; uri: string; qr_svg: string | null; recovery_codes: string[] }
  recovery_codes?: string[]
  /** The number a code was sent to. */
  phone?: string
  /** The hub requires a code of its own second factor. */
  hub_code?: boolean
}

const HERE = '/dashboard/profile/sign-in'

/** Errors to which the page responds with re-authentication. */
const CONFIRMATIONS = new Set(['confirm_first', 'older_method', 'sign_in_again'])

/** Handles each form of the page by intent. Values shown once are returned as action data. */
export const changeSignIn = formAction<ShownOnce>(
  {
    async confirm(call, { text, flash }) {
      await call(confirmPassword, { body: { current_password: text('current_password') } })
      return flash(`${HERE}#main`, 'confirmed')
    },
    async email(call, { text, flash }) {
      await call(changeEmail, { body: { email: text('email').trim() } })
      return flash(`${HERE}#email`, 'email')
    },
    async password(call, { text, flash }) {
      const body = { current_password: text('current_password') || undefined, password: text('password') }
      await call(changePassword, { body })
      return flash(`${HERE}#password`, 'password')
    },
    async phone(call, { text }) {
      await call(changePhone, { body: { phone: text('phone').trim() } })
      return { phone: text('phone').trim() }
    },
    async 'phone-code'(call, { text, flash }) {
      await call(confirmPhone, { body: { phone: text('phone').trim(), code: digitsOf(text('code')) } })
      return flash(`${HERE}#phone`, 'phone')
    },
    async 'remove-phone'(call, { flash }) {
      await call(removePhone, { body: {} })
      return flash(`${HERE}#phone`, 'phone-removed')
    },
    async undo(call, { text }) {
      const { sent_mail } = await call(undoOwnChange, { params: { id: text('id') }, body: {} })
      throw redirectDocument(`/login?ended=${sent_mail ? 'undone' : 'undone-without-mail'}`)
    },
    async unlink(call, { text, flash }) {
      await call(unlinkIdentity, { params: { id: text('id') } })
      return flash(`${HERE}#methods`, 'unlinked')
    },
    async hub(call, { text, flash }) {
      const userName = text('user_name').trim()
      const password = text('password')
      const twoFactorCode = text('code').trim()
      const body = twoFactorCode
        ? { action: 'login2fa' as const, userName, password, twoFactorCode, link: true }
        : { action: 'login' as const, userName, password, link: true }
      const { needs_two_factor } = await call(signInWithHub, { body })
      return needs_two_factor ? { hub_code: true } : flash(`${HERE}#methods`, 'linked')
    },
    async 'remove-passkey'(call, { text, flash }) {
      await call(removePasskey, { params: { id: text('id') } })
      return flash(`${HERE}#passkeys`, 'passkey-removed')
    },
    async enrol(call) {
      return { enrolment: await call(enrolFactor, { body: {} }) }
    },
    async 'verify-factor'(call, { text, flash }) {
      await call(verifyFactor, { body: { code: digitsOf(text('code')) } })
      return flash(`${HERE}#two-factor`, 'two-factor')
    },
    async 'recovery-codes'(call) {
      const { recovery_codes } = await call(renewRecoveryCodes, { body: {} })
      return { recovery_codes }
    },
    async 'remove-factor'(call, { flash }) {
      await call(removeFactor, { body: {} })
      return flash(`${HERE}#two-factor`, 'two-factor-off')
    },
  },
  {
    returned: ['email', 'phone', 'user_name'],
    async onError({ code }, submission) {
      // The re-authentication period expired while the page was open.
      if (CONFIRMATIONS.has(code) && submission.text('intent') !== 'confirm')
        throw redirect(`${HERE}?error=confirm#confirm`)
      return stepState(submission)
    },
  },
)

/** State needed to show the same step again after a wrong code. */
function stepState({ text }: Submission): ShownOnce {
  const intent = text('intent')
  if (intent === 'phone-code') return { phone: text('phone') }
  if (intent === 'hub') return { hub_code: text('asks_code') === 'true' }
  if (intent !== 'verify-factor') return {}
  const recovery_codes = text('recovery').split(' ').filter(Boolean).slice(0, 20)
  return { enrolment: { secret: text('key'), uri: text('uri'), qr_svg: null, recovery_codes } }
}

/** Accepts a code with spaces or hyphens: "123 456". */
const digitsOf = (input: string) => input.replace(/[\s-]/g, '')
