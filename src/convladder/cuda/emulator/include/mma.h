#pragma once
namespace nvcuda = cl_nvcuda;
