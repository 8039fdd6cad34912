import type { Language } from '#shared/language.ts'

interface Alarm {
  title: string
  text: (found: number) => string
  /** What an administrator can do about it now. */
  help: string
}

/** By the prefix of the cause; the rest names a channel. */
interface AlarmTexts {
  not_fanned_out: Alarm
  not_sent_email: Alarm
  not_sent_sms: Alarm
  not_announced: Alarm
  over: (title: string) => string
  overText: string
}
export type Cause = Exclude<keyof AlarmTexts, 'over' | 'overText'>

/** Alarm texts for administrators, when an urgent advisory is not delivered as expected. */
export const ALARM_TEXTS: Record<Language, AlarmTexts> = {
  en: {
    not_fanned_out: {
      title: 'An urgent advisory waits',
      text: (found) =>
        `Urgent advisories that have not been told to their subscribers for more than 2 minutes: ${found}.`,
      help: 'Please see whether the worker of the portal runs.',
    },
    not_sent_email: {
      title: 'Urgent mail does not leave',
      text: (found) => `Urgent advisories whose proof by mail was not handed over within 5 minutes: ${found}.`,
      help: 'Please look at the outbox and at the mail server.',
    },
    not_sent_sms: {
      title: 'Urgent text messages do not leave',
      text: (found) => `Urgent advisories whose proof by text message was not handed over within 5 minutes: ${found}.`,
      help: 'Please look at the outbox and at the provider of text messages.',
    },
    not_announced: {
      title: 'An urgent advisory was not announced',
      text: (found) => `Urgent advisories in force of which subscribers were never told: ${found}.`,
      help: 'Please open each and choose "Notify now", or say there that it is not announced.',
    },
    over: (title) => `Over: ${title}`,
    overText: 'The portal has seen that this is in order again.',
  },
  ar: {
    not_fanned_out: {
      title: 'إرشاد عاجل ما زال ينتظر',
      text: (found) => `إرشادات عاجلة لم يُبلَّغ بها المشتركون منذ أكثر من دقيقتين: ${found}.`,
      help: 'يُرجى التأكد من أن عامل البوابة يعمل.',
    },
    not_sent_email: {
      title: 'البريد العاجل لا يخرج',
      text: (found) => `إرشادات عاجلة لم تُسلَّم رسالة إثباتها بالبريد خلال 5 دقائق: ${found}.`,
      help: 'يُرجى النظر في صندوق الصادر وفي خادم البريد.',
    },
    not_sent_sms: {
      title: 'الرسائل النصية العاجلة لا تخرج',
      text: (found) => `إرشادات عاجلة لم تُسلَّم رسالة إثباتها النصية خلال 5 دقائق: ${found}.`,
      help: 'يُرجى النظر في صندوق الصادر وفي مزوّد الرسائل النصية.',
    },
    not_announced: {
      title: 'إرشاد عاجل لم يُعلَن',
      text: (found) => `إرشادات عاجلة سارية لم يُبلَّغ بها المشتركون قط: ${found}.`,
      help: 'يُرجى فتح كل منها واختيار «أبلغ الآن»، أو تحديد أنه لا يُعلَن.',
    },
    over: (title) => `انتهى: ${title}`,
    overText: 'رأت البوابة أن الأمر عاد إلى نصابه.',
  },
}

export const isCause = (cause: string): cause is Cause =>
  Object.hasOwn(ALARM_TEXTS.en, cause) && !cause.startsWith('over')
