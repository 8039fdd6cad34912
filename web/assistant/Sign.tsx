import icon from '#web/ui/Icon.module.css'

/** Icons used only by the conversation, in the style of ui/Icon. */
const PATHS = {
  send: 'M3 11.5 21 3l-6 18-4-7.5zM11 13.5 21 3',
  plus: 'M12 4.5v15M4.5 12h15',
  stop: 'M6 6h12v12H6z',
  copy: 'M9 8h11v13H9zM15 8V3H4v13h5',
  up: 'M7 11v9H3v-9zM7 11l4.5-8c2 0 2.5 1.5 2.5 3v3h5.5a1.8 1.8 0 0 1 1.8 2.2l-1.5 7a2 2 0 0 1-2 1.8H7',
  down: 'M7 13V4H3v9zM7 13l4.5 8c2 0 2.5-1.5 2.5-3v-3h5.5a1.8 1.8 0 0 0 1.8-2.2l-1.5-7a2 2 0 0 0-2-1.8H7',
  mic: 'M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21',
  speaker: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  pencil: 'M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19z',
  bin: 'M4 6.5h16M9 6.5V4h6v2.5M6 6.5 7 20.5h10l1-14M10 10.5v6M14 10.5v6',
} as const

type SignName = keyof typeof PATHS

/** Icons that point in the reading direction. */
const DIRECTED: ReadonlySet<SignName> = new Set(['send'])

export function Sign({ name }: { name: SignName }) {
  return (
    <svg
      className={DIRECTED.has(name) ? `${icon.icon} ${icon.directed}` : icon.icon}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
