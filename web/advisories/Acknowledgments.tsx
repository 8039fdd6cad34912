import { useFetcher } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Detail.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'
import { ADVISORIES_PATH } from './filters.ts'
import type { SectionHeading } from './section-heading.ts'

interface Props {
  detail: AdvisoryDetailData
  heading: SectionHeading
}

/**
 * The number of acknowledgments, only if there are any (with the setting off the server counts none, D-09); and for a
 * signed-in user whether they have acknowledged, or the button to do so.
 */
export function Acknowledgments({ detail: { advisory, acknowledgment }, heading: Heading }: Props) {
  const t = useT('advisory')
  if (advisory.acknowledgment_count === 0 && !acknowledgment) return null
  return (
    <section>
      <Heading>{t('acknowledgments')}</Heading>
      {advisory.acknowledgment_count > 0 && (
        <p>
          {t('acknowledged', { count: advisory.acknowledgment_count })}{' '}
          {advisory.last_acknowledged_at && (
            <>
              {t('last_acknowledged')} <Time value={advisory.last_acknowledged_at} />
            </>
          )}
        </p>
      )}
      {acknowledgment && <Own id={advisory.id} version={advisory.version} own={acknowledgment} />}
    </section>
  )
}

interface OwnProps {
  id: string
  version: number
  own: NonNullable<AdvisoryDetailData['acknowledgment']>
}

function Own({ id, version, own }: OwnProps) {
  const t = useT('advisory')
  const fetcher = useFetcher<{ isAcknowledged?: boolean }>()
  const isBusy = fetcher.state !== 'idle'
  const isDone = fetcher.data?.isAcknowledged === true || own.version === version
  const action = `${ADVISORIES_PATH}/${id}`
  if (isDone)
    return (
      <p role="status" className={styles.acknowledged}>
        <Icon name="check" /> {t('acknowledged_by_you')} {own.acknowledged_at && <Time value={own.acknowledged_at} />}
      </p>
    )
  return (
    <fetcher.Form
      method="post"
      action={action}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void fetcher.submit({ stay: '1' }, { method: 'post', action })
      }}
    >
      {own.version !== null && <p>{t('acknowledged_earlier')}</p>}
      <Button type="submit" icon="check" isBusy={isBusy} busyLabel={t('acknowledging')}>
        {t('acknowledge')}
      </Button>
    </fetcher.Form>
  )
}
