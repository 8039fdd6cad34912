import type { Router } from '#server/http/router.ts'
import type { Providers } from '../providers/settings.ts'
import { emailWebhooks } from './email.ts'
import type { ReceiveText } from './inbound-text.ts'
import { smsWebhooks } from './sms.ts'
import { whatsAppWebhooks } from './whatsapp.ts'

export type HookProviders = Pick<Providers, 'sms' | 'whatsapp' | 'mailHookToken'>

/** Delivery webhooks of all providers. */
export function deliveryWebhooks(
  router: Router,
  { publicUrl, providers, receiveText }: { publicUrl: string; providers: HookProviders; receiveText: ReceiveText },
) {
  smsWebhooks(router, { publicUrl, providers: providers.sms, receiveText })
  whatsAppWebhooks(router, { provider: providers.whatsapp, receiveText })
  emailWebhooks(router, { token: providers.mailHookToken })
}
