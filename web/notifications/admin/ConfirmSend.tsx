import type { AnnouncementDetail } from '#shared/notifications/announcements.ts'
import { Confirmation } from '#web/compose/Confirmation.tsx'
import { ConfirmedChannels } from '#web/compose/ConfirmedChannels.tsx'
import { type Counted, clocksThere } from '#web/compose/estimate.ts'
import { useZone } from '#web/lib/clock.ts'
import { formatMoment, formatNumber, isolated, namesInLine } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import type { IconName } from '#web/ui/Icon.tsx'
import type { ActionData } from './announcement-form.server.ts'
import { editPath } from './paths.ts'

interface Props {
  announcement: AnnouncementDetail
  counted: Counted
  /** The number of recipients shown before. */
  before: number
  actionData: ActionData | undefined
}

/** The last question before a draft is sent, or submitted for approval. */
export function ConfirmSend({ announcement, counted, before: first, actionData }: Props) {
  const t = useT('compose')
  const language = useLanguage()
  const { chosen, needs_approval } = counted.estimate
  const amount = { count: chosen, n: formatNumber(language, chosen) }
  const sent = actionData?.intent === 'send' ? actionData : undefined
  // After a change, the number that was confirmed is the one before; a rejected entry changes nothing.
  const before =
    sent?.error?.code === 'people_changed' ? Number(sent.values.people) : Number(sent?.values.before ?? first)
  const path = editPath(announcement.id)
  return (
    <Confirmation
      title={t(needs_approval ? 'confirm_approval' : 'confirm_announcement', amount)}
      subject={<bdi>{announcement.titles[language]}</bdi>}
      recipients={chosen}
      clocks={clocksThere(counted, language)}
      channels={<ConfirmedChannels estimate={counted.estimate} />}
      about={counted}
      facts={useFacts(announcement, counted)}
      sendLabel={needs_approval ? t('confirm_submit') : t('confirm_send', amount)}
      busyLabel={t('sending')}
      sendIntent="send"
      before={before}
      backTo={path}
      action={`${path}?action=send&before=${before}`}
      error={sent?.error}
    >
      <input type="hidden" name="made_from" value={announcement.updated_at} />
    </Confirmation>
  )
}

function useFacts({ priority, scheduled_for }: AnnouncementDetail, { estimate }: Counted) {
  const t = useT('compose')
  const language = useLanguage()
  const zone = useZone()
  const name = useUser()?.name ?? ''
  const when = scheduled_for ? t('sent_at', { time: formatMoment(language, scheduled_for, zone) }) : t('sent_now')
  const quiet = t(priority === 'urgent' ? 'quiet_never' : 'quiet_some')
  const approvers =
    estimate.approvers.length > 0
      ? t('approvers', { names: namesInLine(language, estimate.approvers) })
      : t('approvers_none')
  const facts: { icon: IconName; text: string }[] = [
    { icon: 'calendar', text: `${when} ${quiet}` },
    { icon: 'person', text: `${t('signed', { name: isolated(name) })} ${t('no_return')}` },
  ]
  return estimate.needs_approval ? [{ icon: 'people' as const, text: approvers }, ...facts] : facts
}
