import type { Locale } from '#shared/churches/endpoints.ts'

/** Structured data for search engines (schema.org); null for a group that does not publish its address. */
export function structuredData(locale: Locale, publicUrl: string): string | null {
  if (locale.discreet_mode !== 'exact') return null
  const { latitude, longitude } = locale
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Church',
    '@id': `${publicUrl}/church-locator/${locale.id}`,
    url: `${publicUrl}/church-locator/${locale.id}`,
    name: locale.name,
    alternateName: locale.local_name ?? undefined,
    address: {
      '@type': 'PostalAddress',
      streetAddress: [locale.address_line1, locale.address_line2].filter(Boolean).join(', ') || undefined,
      addressLocality: locale.city ?? undefined,
      addressRegion: locale.state_province ?? undefined,
      postalCode: locale.postal_code ?? undefined,
      addressCountry: locale.country_code ?? undefined,
    },
    geo: latitude === null || longitude === null ? undefined : { '@type': 'GeoCoordinates', latitude, longitude },
    telephone: locale.phone ?? undefined,
    email: locale.email ?? undefined,
    sameAs: locale.website ?? undefined,
    openingHoursSpecification: locale.service_schedules
      .filter(({ recurrence, day }) => recurrence === null && day !== null)
      .map(({ day, time, end_time }) => ({
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: `https://schema.org/${day}`,
        opens: time,
        closes: end_time ?? undefined,
      })),
  }
  // Must not contain anything that could end the script element.
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
