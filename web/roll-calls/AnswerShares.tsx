import type { Counts } from '#shared/roll-calls/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { ShareBar } from '#web/ui/charts/ShareBar.tsx'
import styles from './RollCallPage.module.css'

/** Answers as shares of all recipients, those who need help first. */
const SHARES = [
  { label: 'tile_help', count: 'need_help', look: 'bad' },
  { label: 'tile_unclear', count: 'unclear', look: 'attention' },
  { label: 'tile_silent', count: 'silent', look: 'unknown' },
  { label: 'tile_not_there', count: 'not_there', look: 'other' },
  { label: 'share_helped', count: 'helped', look: 'done' },
  { label: 'tile_safe', count: 'safe', look: 'ok' },
] as const

/** The answers of a roll call as shares of everybody asked. */
export function AnswerShares({ counts }: { counts: Counts }) {
  const t = useT('rollCalls')
  return (
    <div className={styles.shares}>
      <ShareBar
        label={t('shares')}
        shares={SHARES.map(({ label, count, look }) => ({ key: count, look, label: t(label), value: counts[count] }))}
      />
    </div>
  )
}
