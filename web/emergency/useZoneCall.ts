import { useEffect, useState } from 'react'
import { call } from '#web/lib/call.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import type { FirstCall } from './place.server.ts'

/** The number of the country of the device's time zone, if the server knows no country. Never by IP address. */
export function useZoneCall(known: FirstCall | null): FirstCall | null {
  const language = useLanguage()
  const [found, setFound] = useState<FirstCall | null>(null)
  useEffect(() => {
    const zone = known ? undefined : Intl.DateTimeFormat().resolvedOptions().timeZone
    if (!zone || zone === 'UTC') return
    let isGone = false
    call('GET /public/emergency/first', { query: { zone } })
      .then(({ country, number }) => {
        if (isGone || !country || !number) return
        const name = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(country) ?? country
        setFound({ country, name, phone: number.phone, code: number.code as FirstCall['code'], origin: 'zone' })
      })
      // Keep the general number.
      .catch(() => {})
    return () => {
      isGone = true
    }
  }, [known, language])
  return known ?? found
}
