/** Where "Leave this page" leads: nobody has to explain it. Of the World Meteorological Organization. */
export const WEATHER = 'https://worldweather.wmo.int/'

/** The worker that keeps copies of the emergency pages, and of nothing else. */
export const EMERGENCY_WORKER = '/emergency-worker.js'
export const EMERGENCY_SCOPE = '/emergency'

/**
 * The few lines that the emergency pages run; all else on them works without. They leave so that the way back does not
 * lead here (Escape twice does the same), print, and have the page kept for a time without internet.
 */
export const EMERGENCY_SCRIPT = `(()=>{const d=document,leave=()=>{const m=d.createElement('meta');m.name='referrer';m.content='no-referrer';d.head.append(m);
d.body.hidden=true;history.replaceState(null,'','/');location.replace('${WEATHER}')};
d.addEventListener('click',e=>{const t=e.target.closest('[data-leave],[data-print]');if(!t)return;e.preventDefault();'leave' in t.dataset?leave():print()});
let last=0;d.addEventListener('keydown',e=>{if(e.key!=='Escape')return;if(last&&e.timeStamp-last<1000)leave();last=e.timeStamp});
const s=navigator.serviceWorker;if(s)s.register('${EMERGENCY_WORKER}',{scope:'${EMERGENCY_SCOPE}'}).then(()=>s.ready).then(r=>{r.active.postMessage({keep:location.href});d.documentElement.dataset.keeps=''}).catch(()=>{})})()`

/** Asks again with the zone of the device, in place of this entry of the history. */
export const ZONE_SCRIPT = `(()=>{try{const z=Intl.DateTimeFormat().resolvedOptions().timeZone,q=new URLSearchParams(location.search);
if(z&&z!=='UTC'&&location.pathname==='/emergency'&&!q.has('zone')&&document.documentElement.dataset.kept===undefined){q.set('zone',z);location.replace('/emergency?'+q)}}catch{}})()`
