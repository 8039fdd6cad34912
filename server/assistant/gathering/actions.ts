import type { QuickAction } from '#shared/assistant/answer.ts'
import { emergencyPath } from '#shared/emergency/address.ts'
import type { Speech } from '../composing/speech.ts'
import type { PhraseKey } from '../phrases/phrases.ts'

/** Follow-up actions, labelled in the language of the answer. */
export function actionsIn(speech: Speech) {
  const { plain } = speech
  const send = (label: PhraseKey, question: PhraseKey, values = {}): QuickAction => ({
    label: plain(label, values),
    action: 'send',
    value: unmarked(plain(question, values)),
  })
  const navigate = (label: PhraseKey, value: string, values = {}): QuickAction => ({
    label: plain(label, values),
    action: 'navigate',
    value,
  })
  return {
    person: navigate('action_person', '/support'),
    locator: navigate('action_locator', '/church-locator'),
    nearMe: send('action_near_me', 'send_find_church'),
    advisories: navigate('action_advisories', '/travel-advisories'),
    faq: navigate('action_faq', '/travel-faq'),
    signIn: navigate('action_sign_in', '/login?returnTo=%2Fai-chat'),
    pdos: send('action_pdos', 'send_pdos'),
    country: (code: string) => navigate('action_country', `/countries/${code}`, { country: speech.country(code) }),
    documents: (code: string) => send('action_documents', 'send_documents', { country: speech.country(code) }),
    emergencyPage: (country: string | null) => navigate('action_emergency_page', emergencyPath(country)),
    emergency: (code: string) => send('action_emergency', 'send_emergency', { country: speech.country(code) }),
    /**
     * Offered when the question was not understood, since the user may still be in danger. This text is recognised in
     * every language.
     */
    unsafe: send('action_unsafe', 'send_unsafe'),
    findChurch: (place: string) => send('action_find_church', 'send_church_in', { place }),
    write: (id: string, name: string) => navigate('action_write', `/church-locator/${id}/write`, { name }),
    call: (phone: string): QuickAction => ({
      label: plain('action_call', { phone }),
      action: 'call',
      value: dialled(phone),
    }),
  }
}

/** The label is sent as a question, so it is stripped of isolation marks. */
const unmarked = (text: string) => text.replace(/[\u2068\u2069]/g, '')

/** Characters that a phone can dial. */
const dialled = (phone: string) => phone.replace(/[^\d+*#]/g, '')
