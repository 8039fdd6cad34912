import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import styles from './Brand.module.css'

const DEFAULT_BRAND = 'MFA Portal'

/** The name of this installation; the default name is translated, a custom one is not. */
export function useBrand(): string {
  const t = useT('common')
  const brand = useSite()?.brand
  return brand && brand !== DEFAULT_BRAND ? brand : t('brand')
}

export function Brand() {
  const t = useT('common')
  return (
    <Link to="/" className={styles.brand}>
      <BrandMark />
      <span>
        <bdi className={styles.name}>{useBrand()}</bdi>
        <span className={styles.subtitle}>{t('brand_subtitle')}</span>
      </span>
    </Link>
  )
}

/** The anchor logo; same drawing as public/favicon.svg, in the colours of the theme. */
export function BrandMark() {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="6" fill="var(--primary)" />
      <g fill="none" stroke="#fff" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="16" cy="9.8" r="3.7" />
        <path d="M16 13.5v10.4M11.8 18.3h8.4M10.4 23.9h11.2" />
      </g>
    </svg>
  )
}
