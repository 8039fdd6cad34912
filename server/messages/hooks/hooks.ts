import type { Database } from '../../db/connection.ts'
import type { Door } from '../../http/door.ts'
import type { Providers } from '../providers.ts'
import { mailHooks } from './mail.ts'
import { smsHooks } from './sms.ts'
import { whatsAppHooks } from './whatsapp.ts'

/** Takes a text that somebody sent for an answer to what was asked; gives what to send back, null where it is none. */
export type AnswerByText = (
  database: Database,
  number: string,
  text: string,
  now: Date,
) => Promise<{ reply: string } | null>

export type HookProviders = Pick<Providers, 'sms' | 'whatsapp' | 'mailHookToken'>

/** The addresses at which those who carry messages tell what became of them. */
export function messageHooks(
  door: Door,
  { publicUrl, providers, answerByText }: { publicUrl: string; providers: HookProviders; answerByText: AnswerByText },
) {
  smsHooks(door, { publicUrl, providers: providers.sms, answerByText })
  whatsAppHooks(door, { provider: providers.whatsapp, answerByText })
  mailHooks(door, { token: providers.mailHookToken })
}
