/** North and south, whole and odd offsets, clocks that change at midnight, at noon of the sun, and never. */
export const ZONES = [
  'Asia/Manila',
  'Asia/Riyadh',
  'Asia/Kathmandu',
  'Europe/London',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Africa/Cairo',
  'Pacific/Honolulu',
]
