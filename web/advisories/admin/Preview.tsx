import { useT } from '#web/lib/i18n.tsx'
import { CardGrid } from '../CardGrid.tsx'
import { DetailBody } from '../DetailBody.tsx'
import { DetailHead } from '../DetailHead.tsx'
import { WhatChanged } from '../WhatChanged.tsx'
import type { View } from './entry.server.ts'
import styles from './Preview.module.css'

const nothing = () => {}

/** An advisory as the public sees it: the list card, then the full text, using the public components. */
export function Preview({ view: { detail, card, sources } }: { view: View }) {
  const t = useT('manage')
  return (
    <div className={styles.preview}>
      {/* Everything on the card is repeated below; it is for show only. */}
      <div inert className={styles.card}>
        <CardGrid cards={[card]} sources={sources} onSelect={nothing} />
      </div>
      <article className={styles.detail} aria-label={t('shown_in_full')}>
        <DetailHead detail={detail} heading="h2" />
        <DetailBody detail={detail} heading="h3">
          <WhatChanged detail={detail} heading="h3" />
        </DetailBody>
      </article>
    </div>
  )
}
