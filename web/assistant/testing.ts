import type { AnswerMetadata, DangerPanel } from '#shared/assistant/answer.ts'

/** Metadata of an answer, for tests. */
export const metadata = (more: Partial<AnswerMetadata> = {}): AnswerMetadata => ({
  status: 'answered',
  language: 'en',
  direction: 'ltr',
  citations: [],
  records: [],
  intent_analysis: null,
  quickActions: [],
  mapLocales: [],
  danger: null,
  help_line: null,
  notify: null,
  notice: null,
  warning: null,
  question_id: null,
  conversation_id: null,
  tokens_used: 0,
  model_used: null,
  processing_time_ms: 1,
  error: false,
  errorMessage: null,
  ...more,
})

export const panel: DangerPanel = {
  dangers: ['withheld_passport'],
  country: 'AE',
  country_name: 'United Arab Emirates',
  title: 'There are people who help when a passport is kept from you.',
  message: 'Call one of these numbers when nobody can hear you.',
  hotlines: [
    {
      record: 'fact:hotline.AE.police',
      label: 'Police',
      name: null,
      phone: '999',
      hours: null,
      url: null,
      checked_on: '2026-09-01',
      is_expired: false,
    },
  ],
  texts: {
    leave_quickly: 'Leave this page quickly',
    call_back: 'Ask for a call',
    call_back_help: 'Give a number and a time at which it is safe.',
    safe_phone: 'A number that is safe',
    safe_time: 'When it is safe to call',
    send: 'Send',
    notify_coordinator: 'Tell a coordinator now',
    notify_coordinator_help: 'Somebody is told at once that you need help.',
    nothing_kept: 'Nothing of this is kept on this device.',
    keep_here: 'Keep this conversation on this device',
    choose_country: 'Which country are you in?',
  },
}
