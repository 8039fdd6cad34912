export const RADII_KM = [10, 25, 50, 100] as const
export const DEFAULT_RADIUS_KM = 50
