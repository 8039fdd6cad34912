import { type ComponentProps, useCallback, useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import styles from './SmartImage.module.css'

const FALLBACK = '/favicon.svg'

/** A failed image is replaced once by the portal's logo, and if that fails too, by its short name (A11Y-11). */
export function SmartImage({ src, alt, ...rest }: Omit<ComponentProps<'img'>, 'ref' | 'onError'> & { alt: string }) {
  const t = useT('common')
  const [shown, setShown] = useState<string | null>(src ?? FALLBACK)
  const fail = useCallback(() => setShown((failed) => (failed === FALLBACK ? null : FALLBACK)), [])
  // An image may have failed before hydration; its error event is not repeated.
  const look = useCallback(
    (image: HTMLImageElement | null) => image?.complete && image.naturalWidth === 0 && fail(),
    [fail],
  )
  if (shown === null) {
    return (
      <span className={styles.placeholder} role="img" aria-label={alt || t('brand')}>
        {t('brand_short')}
      </span>
    )
  }
  return <img loading="lazy" {...rest} ref={(image) => void look(image)} src={shown} alt={alt} onError={fail} />
}
