import { useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { useCopy } from '#web/ui/useCopy.ts'
import styles from './DetailTools.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'
import { ADVISORIES_PATH } from './filters.ts'

interface Props {
  detail: AdvisoryDetailData
  /** Labels for screen readers only, in the head of the dialog. */
  isCompact?: boolean
}

/** Copies, shares or prints the address of an advisory. They need scripts: without them the browser has its own. */
export function DetailTools({ detail, isCompact = false }: Props) {
  const t = useT('advisory')
  const site = useSite()
  const url = `${site?.public_url ?? ''}${ADVISORIES_PATH}/${detail.advisory.id}`
  const { outcome, copy } = useCopy(url)
  const [hasFailed, setFailed] = useState(false)

  async function share() {
    setFailed(false)
    // Dismissing the share sheet is not an error.
    if (navigator.share)
      await navigator
        .share({ title: detail.title, url })
        .catch((error: Error) => setFailed(error.name !== 'AbortError'))
    else await copy()
  }

  const tool = (icon: IconName, label: string, onClick: () => void) => (
    <button type="button" onClick={onClick} title={isCompact ? label : undefined}>
      <Icon name={icon} />
      <span className={isCompact ? 'visually-hidden' : undefined}>{label}</span>
    </button>
  )
  const message = hasFailed ? t('share_failed') : outcome && t(outcome === 'copied' ? 'link_copied' : 'copy_failed')
  return (
    <div className={`${styles.tools} ${isCompact ? styles.compact : ''} needs-script`}>
      {tool('link', t('copy_link'), () => void copy())}
      {tool('share', t('share'), () => void share())}
      {tool('print', t('print'), () => print())}
      <span role="status" className={styles.message}>
        {message}
      </span>
    </div>
  )
}
