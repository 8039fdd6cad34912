const WAYS = {
  supabase: 'way_password',
  google: 'way_google',
  'mcgi-hub': 'way_hub',
  code: 'way_code',
  link: 'way_link',
  phone: 'way_phone',
  passkey: 'way_passkey',
} as const

/** The text that names a way of signing in; one that is not known yet is called just that. */
export const wayKey = (way: string) => WAYS[way as keyof typeof WAYS] ?? 'way_other'
