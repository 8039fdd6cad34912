/** Page of a record by its type in the audit log; undefined where it has none. */
export function addressOf(type: string, id: string): string | undefined {
  const of = Object.hasOwn(ADDRESSES, type) ? ADDRESSES[type] : undefined
  return of?.(encodeURIComponent(id))
}

const ADDRESSES: Record<string, (id: string) => string> = {
  user: (id) => `/admin/users/${id}`,
  travel_advisory: (id) => `/admin/travel-advisories/${id}`,
  advisory: (id) => `/admin/travel-advisories/${id}`,
  advisory_source: (id) => `/admin/travel-advisories/sources/${id}`,
  locale: (id) => `/admin/locales/${id}`,
  locale_import: (id) => `/admin/locales/import/${id}`,
  chapter: (id) => `/admin/chapters/${id}`,
  announcement: (id) => `/admin/notifications/${id}`,
  roll_call: (id) => `/admin/roll-calls/${id}`,
  assistant_case: (id) => `/admin/assistant/cases/${id}`,
  assistant_fact: (id) => `/admin/assistant/facts/${id}`,
  pdos_module: (id) => `/admin/pdos-modules/${id}`,
  faq_entry: (id) => `/admin/travel-faq/${id}`,
  setting: (id) => `/admin/settings?setting=${id}`,
}
