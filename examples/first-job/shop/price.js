exports.gross = (net) => {
  return net;
};
