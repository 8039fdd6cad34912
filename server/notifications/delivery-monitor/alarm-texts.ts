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
      title: 'Urgent advisory not sent',
      text: (found) => `Urgent advisories not sent to subscribers after 2 minutes: ${found}.`,
      help: 'Check that the portal worker is running.',
    },
    not_sent_email: {
      title: 'Urgent email is not being sent',
      text: (found) => `Urgent advisories whose test email was not sent within 5 minutes: ${found}.`,
      help: 'Check the outbox and the mail server.',
    },
    not_sent_sms: {
      title: 'Urgent text messages are not being sent',
      text: (found) => `Urgent advisories whose test SMS was not sent within 5 minutes: ${found}.`,
      help: 'Check the outbox and the SMS provider.',
    },
    not_announced: {
      title: 'Subscribers were not notified of an urgent advisory',
      text: (found) => `Urgent advisories in force that were never sent to subscribers: ${found}.`,
      help: 'Open each one. Select "Notify now", or mark it as not to be announced.',
    },
    over: (title) => `Resolved: ${title}`,
    overText: 'This problem is resolved.',
  },
  ar: {
    not_fanned_out: {
      title: 'إرشاد عاجل لم يُرسَل',
      text: (found) => `إرشادات عاجلة لم تُرسَل إلى المشتركين بعد دقيقتين: ${found}.`,
      help: 'يُرجى التحقق من تشغيل عملية العامل (worker) في البوابة.',
    },
    not_sent_email: {
      title: 'تعذّر إرسال البريد الإلكتروني العاجل',
      text: (found) => `إرشادات عاجلة لم تُرسَل رسالتها التجريبية بالبريد الإلكتروني خلال 5 دقائق: ${found}.`,
      help: 'يُرجى مراجعة صندوق الصادر وخادم البريد.',
    },
    not_sent_sms: {
      title: 'تعذّر إرسال الرسائل النصية العاجلة',
      text: (found) => `إرشادات عاجلة لم تُرسَل رسالتها النصية التجريبية خلال 5 دقائق: ${found}.`,
      help: 'يُرجى مراجعة صندوق الصادر ومزوّد الرسائل النصية.',
    },
    not_announced: {
      title: 'إرشاد عاجل لم يصل إلى المشتركين',
      text: (found) => `إرشادات عاجلة سارية لم تُرسَل إلى المشتركين: ${found}.`,
      help: 'يُرجى فتح كل إرشاد وإرساله إلى المشتركين الآن، أو تحديد أنه لا يُعلَن.',
    },
    over: (title) => `تم الحل: ${title}`,
    overText: 'تم حل هذه المشكلة.',
  },
}

export const isCause = (cause: string): cause is Cause =>
  Object.hasOwn(ALARM_TEXTS.en, cause) && !cause.startsWith('over')
