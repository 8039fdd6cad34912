const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\/|\bOpera/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

/** A device name that users recognise: "Chrome, Android". The rest of the user agent is not stored. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return ''
  const first = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const known = [first(BROWSERS), first(SYSTEMS)].filter(Boolean)
  // Programs put their own name first: "curl/8.5".
  return known.length > 0 ? known.join(', ') : (userAgent.match(/^[\w .-]{1,40}/)?.[0].trim() ?? '')
}
