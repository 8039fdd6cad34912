import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './Icon.module.css'

const exclamation = 'M12 7.5v5M12 16.2v.01'

/** Drawn on a 24 x 24 grid in the text colour. A plain string is the path of one stroke. */
const DRAWINGS = {
  emergency: (
    <>
      <path d="M8.3 2.5h7.4l5.8 5.8v7.4l-5.8 5.8H8.3l-5.8-5.8V8.3z" />
      <path d="M9.5 5.6h5l3.9 3.9v5l-3.9 3.9h-5l-3.9-3.9v-5z" fill="currentColor" fillOpacity={0.35} stroke="none" />
      <path d={exclamation} />
    </>
  ),
  critical: `M12 1.8 22.2 12 12 22.2 1.8 12z${exclamation}`,
  warning: 'M12 3 22.5 21h-21zM12 9.5V14M12 17.4v.01',
  caution: `M2.4 12a9.6 9.6 0 1 0 19.2 0 9.6 9.6 0 1 0-19.2 0z${exclamation}`,
  hands:
    'M7 12.5 3.5 9 8 4.5l4 2 4-2L20.5 9 17 12.5M12 6.5 8.5 10l2 2 2.5-2 5 5-2 2-1.5-1.5M14.5 15.5 13 17l1.5 1.5-2 1-5.5-7',
  info: 'M4.6 2.6h14.8a2 2 0 0 1 2 2v14.8a2 2 0 0 1-2 2H4.6a2 2 0 0 1-2-2V4.6a2 2 0 0 1 2-2zM12 11.5v5M12 7.6v.01',
  unknown: (
    <>
      <circle cx={12} cy={12} r={9.6} strokeDasharray="4.2 2.5" />
      <path d="M9.3 9.4a2.8 2.8 0 0 1 5.4.9c0 1.9-2.7 2.4-2.7 3.8M12 17.2v.01" />
    </>
  ),
  arrow: 'M4 12h16M14 6l6 6-6 6',
  bell: 'M6 10a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4S6 15 6 10zM10 20a2 2 0 0 0 4 0',
  bars: 'M6 3.5v17M10 3.5v17M14 3.5v17M18 3.5v17M3.5 8h17M3.5 16h17',
  box: 'M3 13.5 6 4h12l3 9.5V20H3zM3 13.5h5.5l1.5 3h4l1.5-3H21',
  calendar: 'M4 5.5h16V20H4zM4 10h16M8 3v4.5M16 3v4.5',
  check: 'M4 12.5 9.5 18 20 6.5',
  chevron: 'M9 5l7 7-7 7',
  church: 'M12 2v6.5M9.5 4.7h5M4.5 21v-8L12 8l7.5 5v8zM9.8 21v-4a2.2 2.2 0 0 1 4.4 0v4',
  clock: 'M2.4 12a9.6 9.6 0 1 0 19.2 0 9.6 9.6 0 1 0-19.2 0zM12 6.5V12l3.6 2.2',
  close: 'M5 5l14 14M19 5 5 19',
  data: 'M4 6c0-1.9 3.6-3 8-3s8 1.1 8 3-3.6 3-8 3-8-1.1-8-3zM4 6v12c0 1.9 3.6 3 8 3s8-1.1 8-3V6M4 12c0 1.9 3.6 3 8 3s8-1.1 8-3',
  download: 'M12 4v11M7 10.5l5 5 5-5M4 20h16',
  down: 'M12 4v16M6 14l6 6 6-6',
  external: 'M10 5H4v15h15v-6M14 3h7v7M21 3 11 13',
  filter: 'M3 5h18M6.5 12h11M10 19h4',
  globe:
    'M2.4 12a9.6 9.6 0 1 0 19.2 0 9.6 9.6 0 1 0-19.2 0zM2.4 12h19.2M12 2.4c-5 5.5-5 13.7 0 19.2M12 2.4c5 5.5 5 13.7 0 19.2',
  grid: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  heart: 'M12 20.5S3.5 15 3.5 9a4.5 4.5 0 0 1 8.5-2 4.5 4.5 0 0 1 8.5 2c0 6-8.5 11.5-8.5 11.5z',
  key: 'M8 11.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9zM11.3 12.7 20.5 3.5M16 8l3.5 3.5',
  link: 'M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.8 5.8M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4l1.4-1.4',
  mail: 'M3 5h18v14H3zM3.5 6l8.5 7 8.5-7',
  medical: 'M9 3.5h6V9h5.5v6H15v5.5H9V15H3.5V9H9z',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  offline:
    'M3 3l18 18M5 12.5a10 10 0 0 1 4.2-2.4M2 8.5a15 15 0 0 1 4.4-2.8M11 5a15 15 0 0 1 11 3.5M14.5 10.3a10 10 0 0 1 4.5 2.2M8.5 16a5 5 0 0 1 6 0M12 19.6v.01',
  passport: 'M5.5 3h13v18h-13zM12 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 1 0 0-6.4M9 17.2h6',
  pause: 'M8.5 5v14M15.5 5v14',
  pencil: 'M4 20l1-4.5L16.5 4 20 7.5 8.5 19zM14 6.5l3.5 3.5',
  people:
    'M9 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 1 0 0-7zM2.5 20c0-3.5 2.7-6 6.5-6s6.5 2.5 6.5 6M16 4.8a3.5 3.5 0 0 1 0 6.5M18 14.5c2.2.8 3.5 2.9 3.5 5.5',
  person: 'M12 3.5a4 4 0 1 0 0 8 4 4 0 1 0 0-8zM4.5 21c0-4 3-7 7.5-7s7.5 3 7.5 7',
  phone: 'M6 3H3.5C3.5 13 11 20.5 21 20.5V16l-5-2-2 2.5C11 15 9 13 7.5 10L10 8 8 3z',
  pin: 'M12 21.5s7-6.6 7-11.8a7 7 0 0 0-14 0c0 5.2 7 11.8 7 11.8zM12 7.2a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 1 0 0-5.2z',
  play: 'M7 4.5v15L19 12z',
  plus: 'M12 4v16M4 12h16',
  print: 'M7 8V3h10v5M7 17H3.5V8h17v9H17M7 14h10v7H7z',
  refresh: 'M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 3v5.5h-5.5',
  search: 'M3.5 10.5a7 7 0 1 0 14 0 7 7 0 1 0-14 0zM15.8 15.8 21 21',
  share:
    'M18 8.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 1 0 0 6.4M6 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 1 0 0 6.4M18 22.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 1 0 0 6.4M8.8 13.6l6.4 3.8M15.2 6.6l-6.4 3.8',
  shield: 'M12 2.5 20 5.5v6c0 5-3.4 8.5-8 10-4.6-1.5-8-5-8-10v-6zM12 7.5V12M12 15.4v.01',
  sliders: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  speech: 'M4 4.5h16v11.5h-9L6.5 20v-4H4zM8 9h8M8 12h5',
  storm: 'M7 15.5a4.5 4.5 0 0 1 .4-9A5.5 5.5 0 0 1 18 8.2a3.8 3.8 0 0 1-.6 7.3M12.8 11l-3 5h4l-2.6 5',
  target: 'M5.5 12a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0zM12 1.8v6M12 16.2v6M1.8 12h6M16.2 12h6',
  top: 'M12 20V4M6 10l6-6 6 6',
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof DRAWINGS

/** Icons that point in the reading direction; all others stay as they are in Arabic. */
const DIRECTED: ReadonlySet<IconName> = new Set(['arrow', 'chevron', 'external'])

interface Props {
  name: IconName
  className?: string | undefined
}

/** Decorative, as large as the text and hidden from screen readers: its meaning is always in the text too. */
export function Icon({ name, className }: Props) {
  const drawing: ReactNode = DRAWINGS[name]
  return (
    <svg
      className={classes(styles.icon, DIRECTED.has(name) && styles.directed, className)}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      {typeof drawing === 'string' ? <path d={drawing} /> : drawing}
    </svg>
  )
}
