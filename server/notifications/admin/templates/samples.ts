import type { Language } from '#shared/language.ts'

const EN: Record<string, string> = {
  name: 'Ana Cruz',
  email: 'ana@example.org',
  code: '482913',
  minutes: '10',
  days: '14',
  count: '3',
  reason: 'Documents were missing.',
  time: '21 November 2026, 13:00 UTC',
  place: 'Church in Shinjuku',
  sender: 'Ben Reyes',
  contact: 'ben@example.org',
  title: 'Japan: earthquake near Tokyo',
  message: 'Keep away from the coast.\nFollow the authorities.',
  question: 'Which church do you attend?',
  spoken: 'English',
  day: '29 November 2026',
  severity: 'Emergency',
  countries: 'Japan',
  snippet: 'Strong aftershocks are expected.',
  source: 'MFA Portal',
  dated: '21 November 2026',
}
const AR: Record<string, string> = {
  name: 'آنا كروز',
  reason: 'كانت الوثائق ناقصة.',
  time: '21 نوفمبر 2026، 13:00 بالتوقيت العالمي',
  place: 'كنيسة شينجوكو',
  sender: 'بن رييس',
  title: 'اليابان: زلزال قرب طوكيو',
  message: 'يُرجى الابتعاد عن الساحل.\nيُرجى اتباع تعليمات السلطات.',
  question: 'ما الكنيسة التي تحضر اجتماعاتها؟',
  spoken: 'العربية',
  day: '29 نوفمبر 2026',
  severity: 'طوارئ',
  countries: 'اليابان',
  snippet: 'يُتوقع حدوث هزات ارتدادية قوية.',
  source: 'مكتب MFA',
  dated: '21 نوفمبر 2026',
}

/** Sample values for every variable, for previews. */
export function samplesIn(language: Language, { brand, publicUrl }: { brand: string; publicUrl: string }) {
  const values = language === 'ar' ? { ...EN, ...AR } : EN
  const items = [1, 2].map((n) => ({ title: `${values.title} (${n})`, link: `${publicUrl}/travel-advisories` }))
  return {
    ...values,
    brand,
    link: `${publicUrl}/dashboard`,
    unsubscribe: publicUrl,
    items,
    role: 'traveler',
    status: 'active',
    change: 'phone_added',
  }
}
