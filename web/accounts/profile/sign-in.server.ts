import { type RouterContextProvider, redirect, redirectDocument } from 'react-router'
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
import { attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import { failed, readForm } from './submitted-form.server.ts'

type SubmittedForm = Awaited<ReturnType<typeof readForm>>

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

interface Answer extends ShownOnce {
  intent: string
  values?: Record<string, string>
  error?: FormError
}

const HERE = '/dashboard/profile/sign-in'
const done = (what: string, section: string) => redirect(`${HERE}?done=${what}#${section}`)

/** Handles each form of the page by intent. Success redirects; values shown once are returned as action data. */
export async function changeSignIn(
  context: Readonly<Pick<RouterContextProvider, 'get'>>,
  request: Request,
): Promise<Answer> {
  const form = await readForm(request)
  const change = CHANGES[form.intent as keyof typeof CHANGES] as
    | ((call: CallEndpoint, form: SubmittedForm) => Promise<Response | ShownOnce>)
    | undefined
  if (!change) throw redirect(HERE)
  const { done: answer, error } = await attempt(context, (call) => change(call, form))
  const { intent, values } = form
  // The re-authentication period expired while the page was open.
  if (error && CONFIRMATIONS.has(error.code) && form.intent !== 'confirm')
    throw redirect(`${HERE}?error=confirm#confirm`)
  if (error) return failed(intent, error, { values, ...stepState(form) }) as unknown as Answer
  if (answer instanceof Response) throw answer
  return { intent, values, ...answer }
}

/** Errors to which the page responds with re-authentication. */
const CONFIRMATIONS = new Set(['confirm_first', 'older_method', 'sign_in_again'])

const CHANGES = {
  async confirm(call: CallEndpoint, { secret }: SubmittedForm) {
    await call(confirmPassword, { body: { current_password: secret('current_password') ?? '' } })
    return done('confirmed', 'main')
  },
  async email(call: CallEndpoint, { text }: SubmittedForm) {
    await call(changeEmail, { body: { email: text('email') } })
    return done('email', 'email')
  },
  async password(call: CallEndpoint, { secret }: SubmittedForm) {
    const body = { current_password: secret('current_password'), password: secret('password') ?? '' }
    await call(changePassword, { body })
    return done('password', 'password')
  },
  async phone(call: CallEndpoint, { text }: SubmittedForm) {
    await call(changePhone, { body: { phone: text('phone') } })
    return { phone: text('phone') }
  },
  async 'phone-code'(call: CallEndpoint, { text }: SubmittedForm) {
    await call(confirmPhone, { body: { phone: text('phone'), code: digitsOf(text('code')) } })
    return done('phone', 'phone')
  },
  async 'remove-phone'(call: CallEndpoint) {
    await call(removePhone, { body: {} })
    return done('phone-removed', 'phone')
  },
  async undo(call: CallEndpoint, { text }: SubmittedForm) {
    const { sent_mail } = await call(undoOwnChange, { params: { id: text('id') }, body: {} })
    return redirectDocument(`/login?ended=${sent_mail ? 'undone' : 'undone-without-mail'}`)
  },
  async unlink(call: CallEndpoint, { text }: SubmittedForm) {
    await call(unlinkIdentity, { params: { id: text('id') } })
    return done('unlinked', 'methods')
  },
  async hub(call: CallEndpoint, { text, secret }: SubmittedForm) {
    const userName = text('user_name')
    const password = secret('password') ?? ''
    const twoFactorCode = text('code')
    const body = twoFactorCode
      ? { action: 'login2fa' as const, userName, password, twoFactorCode, link: true }
      : { action: 'login' as const, userName, password, link: true }
    const { needs_two_factor } = await call(signInWithHub, { body })
    return needs_two_factor ? { hub_code: true } : done('linked', 'methods')
  },
  async 'remove-passkey'(call: CallEndpoint, { text }: SubmittedForm) {
    await call(removePasskey, { params: { id: text('id') } })
    return done('passkey-removed', 'passkeys')
  },
  async enrol(call: CallEndpoint) {
    return { enrolment: await call(enrolFactor, { body: {} }) }
  },
  async 'verify-factor'(call: CallEndpoint, { text }: SubmittedForm) {
    await call(verifyFactor, { body: { code: digitsOf(text('code')) } })
    return done('two-factor', 'two-factor')
  },
  async 'recovery-codes'(call: CallEndpoint) {
    const { recovery_codes } = await call(renewRecoveryCodes, { body: {} })
    return { recovery_codes }
  },
  async 'remove-factor'(call: CallEndpoint) {
    await call(removeFactor, { body: {} })
    return done('two-factor-off', 'two-factor')
  },
}

/** State needed to show the same step again after a wrong code. */
function stepState({ intent, text }: SubmittedForm): ShownOnce {
  if (intent === 'phone-code') return { phone: text('phone') }
  if (intent === 'hub') return { hub_code: text('asks_code') === 'true' }
  if (intent !== 'verify-factor') return {}
  const recovery_codes = text('recovery').split(' ').filter(Boolean).slice(0, 20)
  return { enrolment: { secret: text('key'), uri: text('uri'), qr_svg: null, recovery_codes } }
}

/** Accepts a code with spaces or hyphens: "123 456". */
const digitsOf = (input: string) => input.replace(/[\s-]/g, '')
