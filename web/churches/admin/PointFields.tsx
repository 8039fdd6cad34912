import { useEffect, useRef, useState } from 'react'
import { present } from '#shared/assert.ts'
import type { FormValues } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { later } from '#web/lib/load-code.ts'
import { useSite } from '#web/lib/root-data.ts'
import { TextField } from '#web/ui/Field.tsx'
import styles from './Admin.module.css'
import type { PinMap } from './pin-map.ts'

interface Props {
  values: FormValues
  problem: (field: string) => string | undefined
}

/** The point as two numbers, and with scripts also as a pin on a map: the two are kept in sync. */
export function PointFields({ values, problem }: Props) {
  const t = useT('manageChurches')
  const container = useRef<HTMLDivElement>(null)
  const { map, onInput, hasFailed } = usePin(container)
  const attribution = useSite()?.tiles?.attribution
  return (
    <div ref={container} className={styles.point}>
      <TextField
        label={t('latitude')}
        hint={t('latitude_hint')}
        name="latitude"
        inputMode="decimal"
        dir="ltr"
        autoComplete="off"
        defaultValue={values.latitude ?? ''}
        error={problem('latitude')}
        onInput={onInput}
      />
      <TextField
        label={t('longitude')}
        hint={t('longitude_hint')}
        name="longitude"
        inputMode="decimal"
        dir="ltr"
        autoComplete="off"
        defaultValue={values.longitude ?? ''}
        error={problem('longitude')}
        onInput={onInput}
      />
      <div ref={map} className={styles.map} hidden={hasFailed} />
      <p className={styles.mapHint}>
        {t(hasFailed ? 'map_failed' : 'map_hint')} {attribution && <bdi>{attribution}</bdi>}
      </p>
    </div>
  )
}

/** The map code is loaded when it scrolls into view. */
function usePin(container: React.RefObject<HTMLDivElement | null>) {
  const t = useT('manageChurches')
  const tiles = useSite()?.tiles ?? null
  const map = useRef<HTMLDivElement>(null)
  const pin = useRef<PinMap>(undefined)
  const [hasFailed, setFailed] = useState(false)
  const input = (name: string) =>
    present(container.current?.querySelector<HTMLInputElement>(`[name=${name}]`), `the field ${name}`)
  const read = (name: string) => {
    const text = input(name).value.trim().replace(',', '.')
    return text === '' || Number.isNaN(Number(text)) ? null : Number(text)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn once; its labels do not change on the page
  useEffect(() => {
    let isGone = false
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      later(() => import('./pin-map.ts')).then(
        ({ drawPin }) => {
          if (isGone || !map.current) return
          pin.current = drawPin(map.current, {
            tiles,
            labels: { pin: t('pin'), zoomIn: t('zoom_in'), zoomOut: t('zoom_out') },
            onMove: (lat, lng) => {
              input('latitude').value = lat.toFixed(6)
              input('longitude').value = lng.toFixed(6)
            },
          })
          pin.current.showPoint(read('latitude'), read('longitude'))
        },
        () => setFailed(true),
      )
    })
    if (map.current) observer.observe(map.current)
    return () => {
      isGone = true
      observer.disconnect()
      pin.current?.remove()
    }
  }, [])
  return { map, hasFailed, onInput: () => pin.current?.showPoint(read('latitude'), read('longitude')) }
}
