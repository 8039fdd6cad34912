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
    verified: 'A coordinator verified your account. You can now use all features for your role.',
    askTitle: 'We need one more detail from you',
    ask: (question: string) => `Before we can verify your account: ${question}`,
    refusedTitle: 'Your account was not accepted',
    refused: (reason: string) => `A coordinator did not accept your account. Reason: ${reason}`,
    waitsTitle: 'We are checking your account again',
    waits: 'Your account is awaiting verification again. You do not need to do anything.',
    welcomeTitle: (brand: string) => `Welcome to ${brand}`,
    newAccountTitle: 'New account',
    newAccount: 'A new account is awaiting verification.',
    welcome: 'Your account is ready. Add your emergency contact and the countries you travel to.',
  },
  ar: {
    roleTitle: 'تغيّر دورك',
    role: (role: Role, places: string[], lastDay: string | null) =>
      `دورك الآن: ${TEXTS.ar.roles[role]}${places.length > 0 ? `، في ${places.join('، ')}` : ''}${
        lastDay ? `، حتى ${lastDay}` : ''
      }. يُرجى تسجيل الدخول مرة أخرى.`,
    everywhere: 'جميع البلدان',
    statusTitle: 'تغيّر حسابك',
    status: (status: 'active' | 'suspended', reason: string) =>
      `حالة حسابك الآن: ${TEXTS.ar.statuses[status]}.${reason ? ` السبب: ${reason}` : ''}`,
    verifiedTitle: 'تم توثيق حسابك',
    verified: 'وثّق أحد المنسّقين حسابك. يمكنك الآن استخدام كل الميزات المتاحة لدورك.',
    askTitle: 'تلزمنا منك معلومة أخرى',
    ask: (question: string) => `قبل توثيق حسابك: ${question}`,
    refusedTitle: 'لم يُقبل حسابك',
    refused: (reason: string) => `لم يقبل أحد المنسّقين حسابك. السبب: ${reason}`,
    waitsTitle: 'نراجع حسابك مرة أخرى',
    waits: 'حسابك بانتظار التوثيق مرة أخرى. لا يلزم أي شيء.',
    welcomeTitle: (brand: string) => `مرحبًا بك في ${brand}`,
    newAccountTitle: 'حساب جديد',
    newAccount: 'حساب جديد بانتظار التوثيق.',
    welcome: 'حسابك جاهز. يُرجى إضافة جهة اتصال الطوارئ وبلدان سفرك.',
  },
} as const satisfies Record<Language, unknown>
