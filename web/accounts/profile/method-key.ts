const METHOD_KEYS = {
  password: 'method_password',
  // The same as a linked service (AUTH_PROVIDERS).
  supabase: 'method_password',
  google: 'method_google',
  'mcgi-hub': 'method_hub',
  code: 'method_code',
  link: 'method_link',
  phone: 'method_phone',
  passkey: 'method_passkey',
} as const

/** Translation key of a sign-in method; a generic one for an unknown method. */
export const methodKey = (method: string) => METHOD_KEYS[method as keyof typeof METHOD_KEYS] ?? 'method_other'
