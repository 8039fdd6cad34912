const METHOD_KEYS = {
  supabase: 'way_password',
  google: 'way_google',
  'mcgi-hub': 'way_hub',
  code: 'way_code',
  link: 'way_link',
  phone: 'way_phone',
  passkey: 'way_passkey',
} as const

/** Translation key of a sign-in method; a generic one for an unknown method. */
export const methodKey = (method: string) => METHOD_KEYS[method as keyof typeof METHOD_KEYS] ?? 'way_other'
