import { useState } from 'react'
import type { AnswerMetadata } from '#shared/assistant/answer.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useChat } from './ChatProvider.tsx'
import { findPlace, type PlaceError } from './place.ts'
import styles from './QuickActions.module.css'

/** A question about churches without a place: it can be asked again with the user's location. */
export const lacksPlace = ({ intent_analysis, mapLocales }: Partial<AnswerMetadata>): boolean =>
  intent_analysis?.intent === 'locale_inquiry' &&
  !intent_analysis.entities.city &&
  !intent_analysis.entities.country &&
  !mapLocales?.length

export function Nearby({ question }: { question: string }) {
  const t = useT('assistant')
  const { ask, place, setPlace } = useChat()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<PlaceError | null>(null)
  if (place) return null

  async function find() {
    setError(null)
    setBusy(true)
    try {
      const found = await findPlace()
      setPlace(found)
      ask(question, found)
    } catch (error) {
      setError(error as PlaceError)
    }
    setBusy(false)
  }

  return (
    <div className={`${styles.nearby} needs-script`}>
      <Button isSmall icon="pin" isBusy={isBusy} onClick={find}>
        {t('nearby')}
      </Button>
      <p role="status" className={styles.error}>
        {error && t(`place_${error}`)}
      </p>
    </div>
  )
}
