import { TEXTS } from '#server/delivery/templates/render.ts'
import type { Language } from '#shared/language.ts'
import type { Role } from '#shared/roles.ts'

/** Inbox texts in the user's language. Role and state names are those of the mails. */
export const INBOX_TEXTS = {
  en: {
    roleTitle: 'Your role was changed',
    role: (role: Role, places: string[], lastDay: string | null) =>
      `Your role is now: ${TEXTS.en.roles[role]}${places.length > 0 ? `, for ${places.join(', ')}` : ''}${
        lastDay ? `, until ${lastDay}` : ''
      }. Please sign in again.`,
    everywhere: 'all countries',
    statusTitle: 'Your account was changed',
    status: (status: 'active' | 'suspended', reason: string) =>
      `Your account is now: ${TEXTS.en.statuses[status]}.${reason ? ` Reason: ${reason}` : ''}`,
    verifiedTitle: 'Your account is verified',
    verified: 'A coordinator verified your account. Everything that is meant for you is open now.',
    askTitle: 'We need one more detail from you',
    ask: (question: string) => `Before we can verify your account: ${question}`,
    refusedTitle: 'Your account was not accepted',
    refused: (reason: string) => `A coordinator did not accept your account. Reason: ${reason}`,
    waitsTitle: 'Your account is being checked again',
    waits: 'Your account waits to be verified again. You do not have to do anything.',
    welcomeTitle: (brand: string) => `Welcome to ${brand}`,
    newAccountTitle: 'New account',
    newAccount: 'A new account waits to be verified.',
    welcome: 'Your account is made. Add your emergency contact and the countries you travel to.',
  },
  ar: {
    roleTitle: 'تغيّر دورك',
    role: (role: Role, places: string[], lastDay: string | null) =>
      `دورك الآن: ${TEXTS.ar.roles[role]}${places.length > 0 ? `، في ${places.join('، ')}` : ''}${
        lastDay ? `، حتى ${lastDay}` : ''
      }. يرجى تسجيل الدخول من جديد.`,
    everywhere: 'جميع البلدان',
    statusTitle: 'تغيّر حسابك',
    status: (status: 'active' | 'suspended', reason: string) =>
      `حالة حسابك الآن: ${TEXTS.ar.statuses[status]}.${reason ? ` السبب: ${reason}` : ''}`,
    verifiedTitle: 'تم التحقق من حسابك',
    verified: 'تحقق أحد المنسّقين من حسابك. صار كل ما يخصّك متاحًا لك الآن.',
    askTitle: 'نحتاج منك إلى معلومة واحدة بعد',
    ask: (question: string) => `قبل أن نتحقق من حسابك: ${question}`,
    refusedTitle: 'لم يُقبل حسابك',
    refused: (reason: string) => `لم يقبل أحد المنسّقين حسابك. السبب: ${reason}`,
    waitsTitle: 'نراجع حسابك من جديد',
    waits: 'حسابك في انتظار التحقق من جديد. لا يلزمك فعل شيء.',
    welcomeTitle: (brand: string) => `أهلًا بك في ${brand}`,
    newAccountTitle: 'حساب جديد',
    newAccount: 'حساب جديد بانتظار التحقق منه.',
    welcome: 'أُنشئ حسابك. أضف جهة اتصال للطوارئ والبلدان التي تسافر إليها.',
  },
} as const satisfies Record<Language, unknown>
