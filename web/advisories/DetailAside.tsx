import { Link } from 'react-router'
import { ChurchPanel } from '#web/churches/ChurchPanel.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import styles from './Detail.module.css'
import { DetailTools } from './DetailTools.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import { notifyPath } from './notify-path.ts'
import { SeverityTag } from './SeverityTag.tsx'
import type { SectionHeading } from './section-heading.ts'

interface Props {
  detail: AdvisoryDetailData
  heading: SectionHeading
}

/** Screen reader text for the icon. */
export function NewTab() {
  const t = useT('advisory')
  return <span className="visually-hidden">{t('new_tab')}</span>
}

/** The official page, the subscription, and the address of this page. */
export function Actions({ detail }: { detail: AdvisoryDetailData }) {
  const t = useT('advisory')
  const { advisory, countries } = detail
  const [only, ...others] = countries
  return (
    <section className={styles.actions}>
      <ButtonLink to={advisory.source_url} icon="external" target="_blank" rel="noopener">
        {t('view_official_source')}
        <NewTab />
      </ButtonLink>
      <ButtonLink to={notifyPath(countries)} icon="bell">
        {only && others.length === 0 ? t('notify_me_about', { name: only.name }) : t('notify_me')}
      </ButtonLink>
      <DetailTools detail={detail} />
    </section>
  )
}

/** Advisories of other sources on the same country, each with its own level; never averaged. */
export function OtherSources({ detail: { related, countries }, heading: Heading }: Props) {
  const t = useT('advisory')
  if (related.length === 0) return null
  const [only, ...others] = countries
  return (
    <section>
      <Heading>{only && others.length === 0 ? t('related_on', { name: only.name }) : t('related')}</Heading>
      <ul className={styles.related}>
        {related.map((other) => (
          <li key={other.id}>
            <SeverityTag severity={other.severity_level} isPulsing={false} />{' '}
            <Link to={`/travel-advisories/${other.id}`}>
              <bdi>{other.sourceName}</bdi>
            </Link>{' '}
            <bdi lang={other.language} className={styles.muted}>
              {t('quote', { text: other.wording })}
            </bdi>
          </li>
        ))}
      </ul>
      {only && <Link to={`/countries/${only.code}`}>{t('side_by_side')}</Link>}
    </section>
  )
}

/** Local contacts in the countries concerned; collapsed in the dialog. */
export function Churches({ detail, heading, isCompact = false }: Props & { isCompact?: boolean }) {
  if (!detail.churches) return null
  const all = `/travel-advisories/${detail.advisory.id}?churches=all`
  return <ChurchPanel churches={detail.churches} heading={heading} isCompact={isCompact} all={all} />
}
