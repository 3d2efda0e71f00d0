// Synthesis of the table's sounds: wood on felt, dice in a cup, a soft bell.

export const SOUNDS = {
  man: (context, volume) => playKnock(context, volume, 0, 420),
  hit: (context, volume) => {
    playKnock(context, volume, 0, 520);
    playKnock(context, volume * 0.7, 0.07, 300);
  },
  dice: (context, volume) =>
    [0, 0.06, 0.13, 0.21, 0.34].forEach((at, index) =>
      playKnock(context, volume * (1 - index / 7), at, 900 + 160 * (index % 3)),
    ),
  cube: (context, volume) => playKnock(context, volume, 0, 240),
  turn: (context, volume) => playBell(context, volume, 660),
  low: (context, volume) => playBell(context, volume, 440),
};

// Short noise through a narrow filter sounds like wood.
function playKnock(context, volume, delay, pitch) {
  const start = context.currentTime + delay;
  const source = new AudioBufferSourceNode(context, { buffer: createNoise(context) });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 6 });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(volume * 2.5, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.09);
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(start, 0, 0.1);
}

let noiseBuffer = null;

function createNoise(context) {
  if (noiseBuffer?.sampleRate !== context.sampleRate) {
    noiseBuffer = new AudioBuffer({ length: context.sampleRate / 10, sampleRate: context.sampleRate });
    const samples = noiseBuffer.getChannelData(0);
    for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  }
  return noiseBuffer;
}

function playBell(context, volume, pitch) {
  const start = context.currentTime;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.linearRampToValueAtTime(volume * 0.5, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.7);
  gain.connect(context.destination);
  for (const [times, share] of [
    [1, 1],
    [2.01, 0.3],
  ]) {
    const tone = new OscillatorNode(context, { frequency: pitch * times });
    const partGain = new GainNode(context, { gain: share });
    tone.connect(partGain).connect(gain);
    tone.start(start);
    tone.stop(start + 0.75);
  }
}
