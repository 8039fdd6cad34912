import { useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useChat } from './ChatProvider.tsx'
import styles from './PlaceButton.module.css'
import { findPlace, type PlaceError } from './place.ts'

/** Shares the user's location, for questions about what is near; requested only on a tap. */
export function PlaceButton() {
  const t = useT('assistant')
  const { place, setPlace } = useChat()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<PlaceError | null>(null)

  async function toggle() {
    setError(null)
    if (place) return setPlace(null)
    setBusy(true)
    await findPlace().then(setPlace, setError)
    setBusy(false)
  }

  return (
    <span className={`${styles.place} needs-script`}>
      <Button look="link" isSmall icon="pin" aria-pressed={place !== null} isBusy={isBusy} onClick={toggle}>
        {t(place ? 'place_on' : 'place_off')}
      </Button>
      <span role="status" className={styles.error}>
        {error && t(`place_${error}`)}
      </span>
    </span>
  )
}
