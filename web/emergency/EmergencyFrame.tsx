import { type ReactNode, use } from 'react'
import { BrandMark, useBrand } from '#web/layouts/Brand.tsx'
import { DocumentContext } from '#web/lib/document.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { LanguageSwitch } from '#web/ui/LanguageSwitch.tsx'
import styles from './EmergencyFrame.module.css'
import { EMERGENCY_SCRIPT, WEATHER, ZONE_SCRIPT } from './page-script.ts'

interface Props {
  country: string | null
  name: string | null
  /** The country is unknown: with scripts, the device's time zone may determine it. */
  detectsZone: boolean
  children: ReactNode
}

/** Mark, other language, quick exit and heading: nothing else above the first number. */
export function EmergencyFrame({ country, name, detectsZone, children }: Props) {
  const t = useT('emergency')
  const { nonce } = use(DocumentContext)
  return (
    <div className={styles.frame}>
      {detectsZone && <Script nonce={nonce} code={ZONE_SCRIPT} />}
      <header className={styles.bar}>
        <a href="/" className={styles.brand}>
          <BrandMark />
          <bdi className={styles.brandName}>{useBrand()}</bdi>
        </a>
        <LanguageSwitch />
        <a href={WEATHER} rel="noreferrer" className={styles.leave} data-leave="">
          <Icon name="close" />
          {t('leave')}
        </a>
      </header>
      <div className={styles.head}>
        <div className={styles.headContent}>
          <h1>{name ? t('title_in', { country: name }) : t('page_title')}</h1>
          {country && (
            <a href="/emergency/countries" className={styles.change} aria-label={t('change_label')}>
              {t('change')}
            </a>
          )}
        </div>
      </div>
      <main id="main" className={styles.main}>
        {children}
      </main>
      <Script nonce={nonce} code={EMERGENCY_SCRIPT} />
    </div>
  )
}

const Script = ({ nonce, code }: { nonce: string | undefined; code: string }) => (
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: code }} />
)
