import { DISCREET_MODES, type DiscreetMode } from '#shared/churches/discretion.ts'
import type { PublicView } from '#shared/churches/managed-locale.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'

interface Props {
  shown: PublicView | null
  previews: Record<DiscreetMode, PublicView | null>
}

/** What the public sees of the saved record, and what it would see in the other modes. */
export function PublicPreview({ shown, previews }: Props) {
  const t = useT('manageChurches')
  return (
    <AdminPanel id="shown" title={t('shown')}>
      <div className={styles.inPanel}>
        {shown ? <View view={shown} /> : <Note title={t('shown_nothing')} />}
        {DISCREET_MODES.filter((mode) => mode !== shown?.discreet_mode && (mode !== 'hidden' || shown)).map((mode) => (
          <Fold key={mode} summary={t('shown_as', { mode: t(`mode_${mode}`) })}>
            {previews[mode] ? <View view={previews[mode]} /> : <p>{t('shown_nothing')}</p>}
          </Fold>
        ))}
      </div>
    </AdminPanel>
  )
}

const FIELDS = [
  'name',
  'common_name',
  'local_name',
  'address_line1',
  'address_line2',
  'local_address',
  'city',
  'state_province',
  'postal_code',
  'phone',
  'email',
  'website',
  'online_url',
  'timezone',
  'chapter_name',
  'closed_since',
  'closed_until',
  'closed_reason',
] as const satisfies readonly (keyof PublicView)[]

function View({ view }: { view: PublicView }) {
  const t = useT('manageChurches')
  const language = useLanguage()
  const count = (n: number) => formatNumber(language, n)
  const point = view.latitude !== null && `${view.latitude}, ${view.longitude}`
  return (
    <dl className={styles.facts}>
      {FIELDS.filter((field) => view[field]).map((field) => (
        <div key={field}>
          <dt>{t(field === 'chapter_name' ? 'chapter' : field)}</dt>
          <dd>
            <bdi>{view[field]}</bdi>
          </dd>
        </div>
      ))}
      {point && (
        <div>
          <dt>{t('point')}</dt>
          <dd>
            <bdi dir="ltr">{point}</bdi>
          </dd>
        </div>
      )}
      {view.servants.map((servant, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: unnamed servants have no other key
        <div key={i}>
          <dt>{t('servant')}</dt>
          <dd>
            <bdi>{[servant.name ?? t('not_named'), servant.contact].filter(Boolean).join(t('comma'))}</bdi>
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('schedules')}</dt>
        <dd>{count(view.services)}</dd>
      </div>
      <div>
        <dt>{t('photos')}</dt>
        <dd>{count(view.photos)}</dd>
      </div>
    </dl>
  )
}
