/** Northern and southern hemisphere, whole and fractional offsets, clock changes at midnight and at noon, and none. */
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
