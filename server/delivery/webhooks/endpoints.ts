import type { Router } from '#server/http/router.ts'
import type { Providers } from '../providers/settings.ts'
import { mailHooks } from './email.ts'
import type { ReceiveText } from './inbound-text.ts'
import { smsHooks } from './sms.ts'
import { whatsAppHooks } from './whatsapp.ts'

export type HookProviders = Pick<Providers, 'sms' | 'whatsapp' | 'mailHookToken'>

/** Delivery webhooks of all providers. */
export function messageHooks(
  router: Router,
  { publicUrl, providers, receiveText }: { publicUrl: string; providers: HookProviders; receiveText: ReceiveText },
) {
  smsHooks(router, { publicUrl, providers: providers.sms, receiveText })
  whatsAppHooks(router, { provider: providers.whatsapp, receiveText })
  mailHooks(router, { token: providers.mailHookToken })
}
