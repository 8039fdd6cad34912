import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import { type MessageChannel, PRIORITIES } from '#shared/delivery/kinds.ts'
import { ANNOUNCEMENT_CHANNELS } from '#shared/notifications/announcements.ts'
import { ChannelTable } from '#web/compose/ChannelTable.tsx'
import { Section } from '#web/compose/Composer.tsx'
import { useZone } from '#web/lib/clock.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { useProblems } from '#web/ui/Form.tsx'
import styles from './Announcements.module.css'
import type { FormValues } from './values.ts'

interface Props {
  now: FormValues
  error: FormError | undefined
  unsent: readonly MessageChannel[]
  estimate: ReachEstimate | null
}

/** Channels, urgency and time. */
export function DeliverySection({ now, error, unsent, estimate }: Props) {
  const t = useT('announcements')
  const tCompose = useT('compose')
  const zone = useZone()
  const problem = useProblems(error)
  return (
    <Section id="delivery" title={tCompose('how')} hint={t('channels_hint')}>
      <ChannelTable
        channels={ANNOUNCEMENT_CHANNELS}
        chosen={now.channels ?? []}
        estimate={estimate}
        unsent={unsent}
        error={problem('channels')}
      />
      <div className={styles.pair}>
        <SelectField
          label={t('priority')}
          hint={t('priority_hint')}
          name="priority"
          defaultValue={now.priority?.[0]}
          error={problem('priority')}
        >
          {PRIORITIES.map((value) => (
            <option key={value} value={value}>
              {t(`priority_${value}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          type="datetime-local"
          label={t('scheduled_for')}
          hint={t('scheduled_hint', { zone })}
          name="scheduled_for"
          defaultValue={now.scheduled_for?.[0]}
          error={problem('scheduled_for')}
        />
      </div>
    </Section>
  )
}
