/** Target of "Leave this page": a page of the World Meteorological Organization that needs no explanation. */
export const WEATHER = 'https://worldweather.wmo.int/'

/** The service worker that caches the emergency pages, and nothing else. */
export const EMERGENCY_WORKER = '/emergency-worker.js'
export const EMERGENCY_SCOPE = '/emergency'

/**
 * The few lines of script on the emergency pages; everything else works without. They leave so that going back does not
 * return here (Escape twice does the same), print, and have the page cached for offline use.
 */
export const EMERGENCY_SCRIPT = `(()=>{const d=document,leave=()=>{const m=d.createElement('meta');m.name='referrer';m.content='no-referrer';d.head.append(m);
d.body.hidden=true;history.replaceState(null,'','/');location.replace('${WEATHER}')};
d.addEventListener('click',e=>{const t=e.target.closest('[data-leave],[data-print]');if(!t)return;e.preventDefault();'leave' in t.dataset?leave():print()});
let last=0;d.addEventListener('keydown',e=>{if(e.key!=='Escape')return;if(last&&e.timeStamp-last<1000)leave();last=e.timeStamp});
const s=navigator.serviceWorker;if(s)s.register('${EMERGENCY_WORKER}',{scope:'${EMERGENCY_SCOPE}'}).then(()=>s.ready).then(r=>{r.active.postMessage({keep:location.href});d.documentElement.dataset.keeps=''}).catch(()=>{})})()`

/** Reloads with the device's time zone, replacing the history entry. */
export const ZONE_SCRIPT = `(()=>{try{const z=Intl.DateTimeFormat().resolvedOptions().timeZone,q=new URLSearchParams(location.search);
if(z&&z!=='UTC'&&location.pathname==='/emergency'&&!q.has('zone')&&document.documentElement.dataset.kept===undefined){q.set('zone',z);location.replace('/emergency?'+q)}}catch{}})()`
