import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import styles from './Admin.module.css'
import { SETTINGS } from './paths.ts'

/** Domains from which pages may be read, and where to change them. */
export function AllowedDomains({ domains }: { domains: string[] }) {
  const t = useT('assistantAdmin')
  return (
    <div className={styles.domains}>
      <span>{t(domains.length > 0 ? 'domains' : 'domains_none')}</span>
      {domains.map((domain) => (
        <Chip key={domain}>
          <bdi dir="ltr">{domain}</bdi>
        </Chip>
      ))}
      <Link to={SETTINGS}>{t('domains_change')}</Link>
    </div>
  )
}
