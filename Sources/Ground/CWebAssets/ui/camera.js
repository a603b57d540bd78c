// What a camera or a picture file shows, read as a QR code: by the browser where it can, else by the server, which
// keeps nothing of it.

import { Problem, call } from './api.js';
import { h } from './dom.js';

const SIDE = 640;
const PAUSE = 200;
const SILENT = 10_000;
const PATIENCE = 10;

/** The middle square of what a source shows, as a portable graymap. */
function graymap(source, width, height) {
  const side = Math.min(width, height);
  const canvas = h('canvas', { width: SIDE, height: SIDE });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(source, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  return encode(context.getImageData(0, 0, SIDE, SIDE));
}

function encode({ data, width, height }) {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const bytes = new Uint8Array(head.length + width * height);
  bytes.set(head);
  for (let index = 0; index < width * height; index += 1) {
    bytes[head.length + index] = (data[4 * index] * 77 + data[4 * index + 1] * 150 + data[4 * index + 2] * 29) >> 8;
  }
  return bytes;
}

/** Whether the browser reads QR codes itself. Some have what does it, and it can do nothing. */
async function readsItself() {
  try { return (await globalThis.BarcodeDetector.getSupportedFormats()).includes('qr_code'); } catch { return false; }
}

async function read(source, width, height) {
  if (await readsItself()) {
    const found = await new globalThis.BarcodeDetector({ formats: ['qr_code'] }).detect(source);
    return found[0]?.rawValue || null;
  }
  return decode(source, width, height);
}

let decode = async (source, width, height) => {
  const answer = await call('POST', '/v1/payloads/decode', graymap(source, width, height), { type: 'image/x-portable-graymap' });
  return answer.text || null;
};

/** Says who else reads a picture, where the browser cannot: gets a JPEG as a data URL, gives what it says, or null. */
export function decodeBy(reader) {
  decode = (source, width, height) => {
    const scale = Math.min(1, 1600 / Math.max(width, height));
    const canvas = h('canvas', { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.getContext('2d').drawImage(source, 0, 0, canvas.width, canvas.height);
    return reader(canvas.toDataURL('image/jpeg', 0.9));
  };
}

/** Looks again, once, when the server has enough of pictures, or to do, for a moment. */
async function patiently(look) {
  try {
    return await look();
  } catch (error) {
    if (![429, 503].includes(error.status) || !error.wait || error.wait > PATIENCE) throw error;
    await new Promise((resolve) => { setTimeout(resolve, error.wait * 1000); });
    return look();
  }
}

/** The text of the first QR code of a picture file. */
export async function readFile(file) {
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    throw new Problem(422, { detail: 'This file is no picture that the browser can open.', hint: 'Take a JPEG, PNG or WebP.' });
  }
  try {
    const text = await patiently(() => read(picture, picture.width, picture.height));
    if (!text) throw new Problem(422, { detail: 'There is no QR code in this picture.', hint: 'Take it from closer up, in better light, with the code in the middle.' });
    return text;
  } finally {
    picture.close();
  }
}

/** Why a camera cannot be used here; null where it can. */
export function cameraProblem() {
  if (!isSecureContext) return 'Browsers give a camera only to pages that come by https, or from this machine.';
  if (!navigator.mediaDevices?.getUserMedia) return 'This browser gives no camera to pages.';
  return null;
}

/** A camera: an element to show, and `stop()`. Each new text is given to `found`, one that is still there to `again`; what goes wrong, to `failed`; that the page is hidden, which ends it, is told by `left`. With the same `last` a camera goes on where one before it was. */
export function openCamera({ found, again, failed, left = () => {}, last = { text: null, at: 0 } }) {
  const video = h('video', { playsinline: true, muted: true, 'aria-label': 'What the camera sees' });
  const element = h('div', { class: 'camera' }, video, h('div', { class: 'mask', 'aria-hidden': 'true' }), h('p', { class: 'hint' }, 'Hold the label into the frame.'));
  let stream = null;
  let timer = null;
  let isOver = false;

  async function look() {
    timer = null;
    if (isOver || document.hidden) return;
    try {
      const text = video.videoWidth > 0 ? await read(video, video.videoWidth, video.videoHeight) : null;
      if (text && !isOver) {
        const now = Date.now();
        if (text !== last.text) { Object.assign(last, { text, at: now }); found(text); } else if (now - last.at > SILENT) { last.at = now; again(text); }
      }
    } catch (error) {
      if (error.status !== 429 && error.status !== 503) failed(error);
    }
    if (!isOver) timer = setTimeout(look, PAUSE);
  }

  function stop() {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', hidden);
    for (const track of stream?.getTracks() || []) track.stop();
    video.srcObject = null;
  }

  function hidden() { if (document.hidden) { stop(); left(); } }

  async function start() {
    // Before it is asked for: the page may be left while a person or the camera takes its time.
    document.addEventListener('visibilitychange', hidden);
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } } });
      if (isOver) { stop(); return; }
      video.srcObject = stream;
      await video.play();
      look();
    } catch (error) {
      const wasOver = isOver;
      stop();
      // What is stopped while it begins ends with an error, which is none.
      if (wasOver) return;
      const texts = { NotAllowedError: 'The camera may not be used by this page.', NotFoundError: 'There is no camera.', NotReadableError: 'The camera is used by another program.' };
      failed(new Problem(0, { detail: texts[error.name] || 'The camera cannot be used.', hint: 'Allow it in the browser, or take a picture file or the text of the label.' }));
    }
  }

  start();
  return { element, stop };
}
