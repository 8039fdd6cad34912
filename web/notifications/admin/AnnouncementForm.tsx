import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { Columns, reviewOnCtrlEnter, SendBar } from '#web/compose/Composer.tsx'
import type { Counted } from '#web/compose/estimate.ts'
import { KindSwitch } from '#web/compose/KindSwitch.tsx'
import { MessagePreview } from '#web/compose/MessagePreview.tsx'
import { carriedIn } from '#web/compose/message.ts'
import { useEstimate } from '#web/compose/useEstimate.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { AudienceSection } from './AudienceSection.tsx'
import type { ActionData } from './announcement-form.server.ts'
import type { AudienceChoices } from './audience.ts'
import { DeliverySection } from './DeliverySection.tsx'
import { TextsSection } from './TextsSection.tsx'
import type { FormValues } from './values.ts'

interface Props extends AudienceChoices {
  action: string
  values: FormValues
  counted: Counted | null
  /** Version of an existing draft. */
  madeFrom?: string
  actionData: ActionData | undefined
  unsent: readonly MessageChannel[]
}

/** The composer of an announcement: what, who and how, beside its preview. */
export function AnnouncementForm({ action, values, counted, madeFrom, actionData, unsent, ...choices }: Props) {
  const now = actionData?.lists ?? values
  const error = actionData?.lists ? actionData.error : undefined
  const estimate = useEstimate(action, actionData?.counted === undefined ? counted : actionData.counted)
  return (
    <Form
      // Remounted with the values of an answer; a count alone changes none.
      key={actionData?.lists ? JSON.stringify(actionData.lists) : 'first'}
      id="composer"
      action={action}
      error={error}
      isUnsaved={actionData?.lists !== undefined}
      onInput={estimate.follow}
      onSubmitCapture={estimate.stop}
      onKeyDown={reviewOnCtrlEnter}
    >
      <KindSwitch kind="announcement" carried={carriedIn(now.carried?.[0])} defaultIntent="continue" />
      {madeFrom && <input type="hidden" name="made_from" value={madeFrom} />}
      <Columns preview={<MessagePreview counted={estimate.counted} as={now.as?.[0]} isBehind={estimate.isBehind} />}>
        <TextsSection now={now} error={error} />
        <AudienceSection
          {...choices}
          now={now}
          error={error}
          found={actionData?.found}
          isSearching={actionData?.intent === 'add'}
          estimate={estimate}
        />
        <DeliverySection now={now} error={error} unsent={unsent} estimate={estimate.counted?.estimate ?? null} />
      </Columns>
      <Send counted={estimate.counted} isSaved={madeFrom !== undefined} />
    </Form>
  )
}

function Send({ counted, isSaved }: { counted: Counted | null; isSaved: boolean }) {
  const t = useT('compose')
  const tAnnouncements = useT('announcements')
  const language = useLanguage()
  const n = (count: number) => formatNumber(language, count)
  const { chosen = null, people: reached = 0, needs_approval = false } = counted?.estimate ?? {}
  const label = needs_approval
    ? t('submit_some')
    : chosen
      ? t('send_to', { count: chosen, n: n(chosen) })
      : t('send_some')
  return (
    <>
      {chosen !== null && <input type="hidden" name="shown" value={chosen} />}
      <SendBar
        label={label}
        isFlat={chosen === 0}
        summary={
          chosen === 0
            ? t('count_zero')
            : chosen
              ? t('summary_reach', { count: reached, n: n(reached) })
              : t('confirm_next')
        }
      >
        <Button type="submit" name="intent" value="sketch">
          {tAnnouncements('save_draft')}
        </Button>
        {isSaved && (
          <>
            <Button type="submit" name="intent" value="test">
              {tAnnouncements('test')}
            </Button>
            <Button type="submit" look="link" name="intent" value="delete">
              {tAnnouncements('delete')}
            </Button>
          </>
        )}
      </SendBar>
    </>
  )
}
