import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { Locator } from './locator.server.ts'
import { addressOf } from './search.ts'

/** Other places with the searched name. */
export function OtherPlaces({ data: { search, places } }: { data: Locator }) {
  const t = useT('churches')
  if (places.length === 0) return null
  return (
    <>
      {' '}
      {t('did_you_mean')}{' '}
      {places.slice(0, 4).map(({ name, text, point }, i) => (
        <span key={text}>
          {i > 0 && ` ${t('or')} `}
          <Link to={addressOf(search, { near: name, point })}>{text}</Link>
        </span>
      ))}
      {t('question_mark')}
    </>
  )
}
