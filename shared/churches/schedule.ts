import * as z from 'zod'

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
export const SERVICE_TYPES = ['prayer_meeting', 'worship_service', 'thanksgiving', 'other'] as const
export type ServiceType = (typeof SERVICE_TYPES)[number]

/** Maximum length of a service that crosses midnight; anything longer is a typing error, such as 10:00 to 09:00. */
const MAX_HOURS_OVER_MIDNIGHT = 12

/** Whether the end is on the day after the start. Times as HH:MM. */
export const endsNextDay = (start: string, end: string) => end <= start

/**
 * Whether an end is implausible: equal to the start, or earlier without being shortly after midnight. Times as HH:MM.
 */
export function endsTooLate(start: string, end: string): boolean {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  return endsNextDay(start, end) && minutes(end) + 24 * 60 - minutes(start) > MAX_HOURS_OVER_MIDNIGHT * 60
}

/** Tells the user how to correct such an end. */
export const ENDS_TOO_LATE =
  'The end is before the start. Check both times. A service past midnight can last up to 12 hours.'

/** One service of a locale, in local time. */
export const ServiceSchedule = z.object({
  id: z.uuid(),
  day: z.enum(DAYS).nullable().describe('Every week on this day; null if a rule is given'),
  day_of_week: z.number().int().min(0).max(6).nullable().describe('0 is Sunday'),
  recurrence: z.string().nullable().describe('RFC 5545 RRULE value, starting at starts_on'),
  starts_on: z.string().nullable().describe('YYYY-MM-DD'),
  ends_on: z.string().nullable().describe('YYYY-MM-DD, last day'),
  time: z.string().describe('HH:MM'),
  end_time: z.string().nullable().describe('HH:MM; if before the start, on the next day'),
  service_type: z.enum(SERVICE_TYPES),
  title: z.string().nullable(),
  language: z.string().nullable().describe('BCP 47'),
  is_online: z.boolean(),
  online_url: z.string().nullable(),
  note: z.string().nullable(),
})
export type ServiceSchedule = z.infer<typeof ServiceSchedule>

/** A service at a specific instant. */
export const ServiceMoment = z.object({
  schedule_id: z.uuid(),
  starts_at: z.string().describe('ISO 8601 instant'),
  ends_at: z.string().describe('ISO 8601 instant; two hours after the start if no end is given'),
  in_progress: z.boolean(),
})
export type ServiceMoment = z.infer<typeof ServiceMoment>
